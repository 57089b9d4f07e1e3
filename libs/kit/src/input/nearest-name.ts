const DISTANCE_MAX = 2;
const NAME_CHARACTERS_MAX = 64;

/**
 * The known name that `name` probably misspells: the one with the smallest edit distance, if that
 * is at most 2 and less than half of the name. Case and underscores do not count as differences.
 */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  if (name.length > NAME_CHARACTERS_MAX) {
    return undefined;
  }
  const wanted = foldName(name);
  let nearest: string | undefined;
  let best = Math.min(DISTANCE_MAX, Math.ceil(wanted.length / 2) - 1) + 1;
  for (const candidate of known) {
    const folded = foldName(candidate);
    if (Math.abs(folded.length - wanted.length) >= best) {
      continue;
    }
    const distance = editDistance(wanted, folded);
    if (distance < best) {
      best = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

function foldName(name: string): string {
  return name.replaceAll('_', '').toLowerCase();
}

/** Insertions, deletions, replacements and swaps of neighbors that turn one text into the other. */
function editDistance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwap = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current[column] = Math.min(
        (last[column] as number) + 1,
        (current[column - 1] as number) + 1,
        (last[column - 1] as number) + (isSame ? 0 : 1),
        isSwap ? (beforeLast[column - 2] as number) + 1 : Infinity,
      );
    }
    beforeLast = last;
    last = current;
  }
  return last[to.length] as number;
}
