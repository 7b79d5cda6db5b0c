// The keys of a game, wherever on its page the focus is.

/** What they do, in words. */
export const KEYS = [
  ['Space', 'analysis on or off'], ['n →', 'next move'], ['p ←', 'move before'], ['↑ ↓', 'other variation'], ['Home End', 'beginning, end'],
  ['u', 'undo'], ['h', 'hint'], ['g', 'the engine moves, or moves now'], ['x', 'pass'], ['s', 'score'], ['Esc', 'take a chosen point back'],
  ['Del', 'delete the variation'], ['b', 'to the board, where arrows move the cursor and Enter plays'],
];

/** Does what a key stands for on the page of a game. */
export function act(view, event) {
  const isButton = event.target.matches('button, a, summary, [role=button]');
  const actions = {
    ArrowLeft: () => view.back(), p: () => view.back(), ArrowRight: () => view.next(), n: () => view.next(),
    ArrowUp: () => view.sibling(-1), ArrowDown: () => view.sibling(1), Home: () => view.goTo(0), End: () => view.toEnd(),
    u: () => view.do('undo'), h: () => view.hint(), g: () => view.buttons.think.click(), x: () => view.buttons.pass?.click(),
    s: () => view.game.hasScore && view.score.toggle(), Escape: () => view.cancel(), Delete: () => view.remove(), b: () => view.board.svg.focus(),
    ' ': isButton ? undefined : () => view.analyse(),
  };
  const action = actions[event.key];
  if (!action) return;
  event.preventDefault();
  action();
}
