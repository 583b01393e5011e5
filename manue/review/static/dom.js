/* Elements are only created by code: text becomes text nodes, so nothing in a log can become markup. */

const SVG_SPACE = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, "");
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, String(value));
  }
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined) element.append(child);
  }
  return element;
}

/** Make an HTML element; strings among the children become text nodes. */
export function html(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** Make an SVG element. */
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG_SPACE, tag), attributes, children);
}

/** The path of an SVG through points [x, y]. */
export const pathOf = (points) =>
  points.map(([x, y], at) => `${at ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join(" ");

/** The label of a radio; a click acts without giving the radio the focus, which would take the arrow keys. */
export function radioLabel(radio, attributes, words, act) {
  const label = html("label", { for: radio.id, ...attributes }, words);
  label.addEventListener("click", (event) => {
    event.preventDefault();
    act();
  });
  return label;
}

/** Replace all children with new ones. */
export function replace(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
}

/** Make an element or a text like the fresh one. */
function update(old, fresh) {
  if (old.isEqualNode(fresh)) return;
  if (old.nodeName !== fresh.nodeName) {
    old.replaceWith(fresh);
    return;
  }
  if (old.nodeType === Node.TEXT_NODE) {
    old.data = fresh.data;
    return;
  }
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  renew(old, [...fresh.childNodes]);
}

/**
 * Make the children of an element like the fresh ones, keeping what is alike: browsers then lay out and paint only
 * what differs. Not for elements that are listened to: listeners of the fresh ones are lost.
 */
export function renew(element, ...children) {
  const wanted = children.flat(Infinity).filter((child) => child !== null && child !== undefined);
  const old = [...element.childNodes];
  wanted.forEach((child, at) => (at < old.length ? update(old[at], child) : element.append(child)));
  for (const surplus of old.slice(wanted.length)) surplus.remove();
}

/** Find an element of the static page. */
export function byId(id) {
  return document.getElementById(id);
}
