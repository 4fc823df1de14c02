/** How many letters must be added, removed, changed or swapped with their neighbour to make one word of the other. */
function distance(left: string, right: string): number {
  const cell = (row: readonly number[], column: number): number => row[column] ?? 0;
  let before: readonly number[] = [];
  let above: readonly number[] = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const change = left[row - 1] === right[column - 1] ? 0 : 1;
      let least = Math.min(cell(above, column) + 1, cell(current, column - 1) + 1, cell(above, column - 1) + change);
      if (row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]) {
        least = Math.min(least, cell(before, column - 2) + 1);
      }
      current.push(least);
    }
    before = above;
    above = current;
  }
  return cell(above, right.length);
}

/** The words that were probably meant, the best first; none where nothing comes close. */
export function nearest(word: string, candidates: readonly string[], most = 1): string[] {
  const wanted = word.toLowerCase().slice(0, 100);
  return candidates
    .map((candidate) => {
      const known = candidate.toLowerCase();
      const contains = wanted.length > 2 && (known.includes(wanted) || wanted.includes(known));
      // Who stops typing early means the beginning of the word.
      const begins = wanted.length > 2 ? distance(wanted, known.slice(0, wanted.length)) + 1 : Number.POSITIVE_INFINITY;
      return { candidate, far: contains ? 1 : Math.min(distance(wanted, known), begins) };
    })
    .filter(({ candidate, far }) => far <= Math.max(2, Math.floor(candidate.length / 3)))
    .sort((left, right) => left.far - right.far)
    .slice(0, most)
    .map(({ candidate }) => candidate);
}
