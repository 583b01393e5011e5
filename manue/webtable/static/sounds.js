/* Short tones made by the browser; nothing sounds unless it is switched on. */

const TONES = {
  discard: [[320, 0.04]],
  call: [
    [440, 0.08],
    [520, 0.08],
  ],
  riichi: [
    [520, 0.12],
    [660, 0.16],
  ],
  win: [
    [520, 0.12],
    [660, 0.12],
    [780, 0.24],
  ],
  exhausted: [[260, 0.3]],
  choice: [[880, 0.06]],
};
let context = null;

/** Play the tones of an event, if it has any. */
export function sound(name) {
  if (!TONES[name]) return;
  context ??= new AudioContext();
  let at = context.currentTime;
  for (const [pitch, length] of TONES[name]) {
    const tone = context.createOscillator();
    const volume = context.createGain();
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.08, at);
    volume.gain.exponentialRampToValueAtTime(0.001, at + length);
    tone.connect(volume).connect(context.destination);
    tone.start(at);
    tone.stop(at + length);
    at += length;
  }
}
