// Results and the state of a game in words.

import { colorName, plural } from './dom.js';

/** How a game was won, other than by points. */
const WAYS = { r: ' by resignation', resign: ' by resignation', t: ' on time', time: ' on time', f: ' by forfeit', forfeit: ' by forfeit', '': '' };

/** A result in words. */
export function resultWords(result) {
  const text = result.trim();
  if (/^(0|draw|jigo)$/i.test(text)) return 'a draw';
  if (/^void$/i.test(text)) return 'no result';
  if (text === '?') return 'unknown';
  const [, side, how] = /^([BW])\+(.*)$/i.exec(text) ?? [];
  if (!side) return text;
  return `${colorName(side.toLowerCase())} wins${WAYS[how.toLowerCase()] ?? ` by ${how}`}`;
}

/** How a game stands; `pending` is how many steps of the turn are chosen. */
export function statusWords({ maxSteps }, { result, thinking, position }, pending) {
  const { toMove, outcome, winner, due } = position;
  const name = colorName(toMove);
  if (result) return `Result: ${resultWords(result)}`;
  if (outcome === 'win') return `${colorName(winner)} has won`;
  if (outcome === 'draw') return 'A draw';
  if (outcome === 'counted') return 'The game is over: Score counts it';
  if (thinking) return `${name} is thinking …`;
  if (maxSteps === 3) return `${name}: ${['choose an amazon', 'where does it go?', 'where does the arrow land?'][pending] ?? ''}`;
  return `${name} to play${maxSteps === 2 ? `, ${plural(due - pending, 'stone')}` : ''}`;
}
