// @ts-check
/**
 * What a run says: a line for each failed case, a table of files, and what was held against the
 * service otherwise than it stands, or not at all, each with its reason.
 *
 * @typedef {import('./types.mjs').FileResult} FileResult
 * @typedef {{ passed: number, ruled: number, failed: number, notApplicable: number }} Counts
 */

/**
 * @param {FileResult[]} results
 * @returns {Counts}
 */
export function countsOf(results) {
  const all = results.flatMap(({ outcomes }) => outcomes);
  const count = (/** @type {string} */ verdict) =>
    all.filter((each) => each.verdict === verdict).length;
  return {
    passed: count('passed'),
    ruled: count('ruled'),
    failed: count('failed'),
    notApplicable: count('notApplicable'),
  };
}

/**
 * @param {FileResult[]} results
 * @returns {string[]}
 */
export function failureLines(results) {
  return results.flatMap(({ name, outcomes }) =>
    outcomes
      .filter(({ verdict }) => verdict === 'failed')
      .map(({ id, faults = [] }) => `FAILED ${name}/${id}: ${faults.join('; ')}`),
  );
}

/**
 * @param {FileResult[]} results
 * @returns {string[]} reasons, with the cases that share each
 */
export function reasonLines(results) {
  /** @type {Map<string, string[]>} */
  const byReason = new Map();
  for (const { name, outcomes } of results) {
    for (const { id, verdict, reason } of outcomes) {
      if (reason === undefined) continue;
      const heading = `${verdict === 'notApplicable' ? 'Not applicable' : 'By ruling'}: ${reason}.`;
      byReason.set(heading, [...(byReason.get(heading) ?? []), `${name}/${id}`]);
    }
  }
  return [...byReason].flatMap(([heading, cases]) => [heading, `  ${cases.join(', ')}`]);
}

/**
 * @param {FileResult[]} results
 * @returns {string[]}
 */
export function summaryLines(results) {
  const rows = [
    ...results.map((each) => ({ name: each.name, ...countsOf([each]) })),
    { name: 'all', ...countsOf(results) },
  ];
  const width = Math.max(...rows.map(({ name }) => name.length));
  const line = (/** @type {string} */ name, /** @type {unknown[]} */ ...figures) =>
    [name.padEnd(width), ...figures.map((figure) => String(figure).padStart(16))].join('');
  return [
    line('', 'passed', 'by ruling', 'failed', 'not applicable'),
    ...rows.map(({ name, passed, ruled, failed, notApplicable }) =>
      line(name, passed, ruled, failed, notApplicable),
    ),
  ];
}
