"""An agent for manue: it discards towards tenpai, declares riichi, wins, and never calls."""

import manue


class Mine:
    """Choose by shanten and useful tiles; replace `option` by thoughts of your own."""

    def decide(self, state: manue.RoundState, actions: tuple[manue.Action, ...]) -> manue.Decision:
        """Choose one of the legal actions; the reports are what tables and pages show of each option."""
        win = manue.win_among(actions)
        if win is not None:
            return manue.Decision(win)
        discards = [action for action in actions if isinstance(action, manue.Discard)]
        if not discards:  # another seat's tile may be called
            return manue.Decision(manue.Pass())
        reports = sorted((self.option(state, discard) for discard in discards), key=self.rank)
        riichi = manue.Riichi()
        if riichi in actions:  # its discard is asked next
            return manue.Decision(riichi, (manue.Report(riichi), *reports))
        return manue.Decision(reports[0].action, tuple(reports))

    def option(self, state: manue.RoundState, discard: manue.Discard) -> manue.Report:
        """Report on a discard: the shanten after it, and the useful tiles that this hand does not hold."""
        rest = state.hand.copy()
        rest.remove(discard.tile)
        useful = manue.ukeire(rest, state.me.melds)
        return manue.Report(
            discard,
            shanten=manue.shanten(rest, state.me.melds),
            ukeire_kinds=len(useful),
            ukeire_count=sum(useful.values()),
        )

    def rank(self, report: manue.Report) -> tuple[int, int]:
        """Return what comes first the lower it is: few exchanges to tenpai, then many useful tiles."""
        return report.shanten or 0, -(report.ukeire_count or 0)
