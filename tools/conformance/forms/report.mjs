// @ts-check
/**
 * What a run says at its end: a table of files, and every case that counted differently or not at
 * all, by reason.
 *
 * @typedef {import('./types.mjs').FileResult} FileResult
 * @typedef {import('./types.mjs').Verdict['verdict']} VerdictName
 */

/**
 * @param {FileResult[]} results
 * @returns {{ passed: number, failed: number, notApplicable: number }}
 */
export function countsOf(results) {
  const of = (/** @type {VerdictName} */ verdict) => count(results, verdict);
  return {
    passed: of('passed'),
    failed: of('failed'),
    notApplicable: of('notApplicable') + of('ruled'),
  };
}

/**
 * @param {FileResult[]} results
 * @returns {string[]}
 */
export function reasonLines(results) {
  /** @type {Map<string, string[]>} */
  const byReason = new Map();
  for (const { id, verdict, reason = '' } of results.flatMap(({ outcomes }) => outcomes)) {
    if (verdict !== 'ruled' && verdict !== 'notApplicable') continue;
    const heading = `${verdict === 'ruled' ? 'By ruling' : 'Not applicable'}: ${reason}`;
    byReason.set(heading, [...(byReason.get(heading) ?? []), id]);
  }
  const lines = [...byReason].flatMap(([heading, ids]) => [heading, ...ids.map((id) => `  ${id}`)]);
  return lines;
}

/**
 * @param {FileResult[]} results
 * @returns {string[]}
 */
export function summaryLines(results) {
  const names = /** @type {const} */ (['passed', 'ruled', 'notApplicable', 'failed']);
  const rows = [...results, { name: 'all', outcomes: results.flatMap(({ outcomes }) => outcomes) }];
  const width = Math.max(...rows.map(({ name }) => name.length));
  return [
    `${'file'.padEnd(width)}  passed  by ruling  not applicable  failed`,
    ...rows.map((row) => {
      const [passed, ruled, not, failed] = names.map((name) => String(count([row], name)));
      return [
        row.name.padEnd(width),
        `${passed}`.padStart(6),
        `${ruled}`.padStart(9),
        `${not}`.padStart(14),
        `${failed}`.padStart(6),
      ].join('  ');
    }),
  ];
}

/**
 * @param {FileResult[]} results
 * @param {VerdictName} verdict
 */
function count(results, verdict) {
  return results.flatMap(({ outcomes }) => outcomes).filter((each) => each.verdict === verdict)
    .length;
}
