// @ts-check

/**
 * A case as the files have it; its members depend on the file.
 *
 * @typedef {Record<string, any> & { name: string }} FormCase
 *
 * What became of a case. `ruled`: the wanted result is not ours, by a rule that is named, and the
 * result that the rule asks for was found. `notApplicable`: it is about something that is not here.
 *
 * @typedef {{ verdict: 'passed' | 'failed' | 'ruled' | 'notApplicable', reason?: string }} Verdict
 * @typedef {Verdict & { id: string }} Outcome
 * @typedef {{ name: string, outcomes: Outcome[] }} FileResult
 *
 * The built library; its types are those of libs/form-decoder/src/index.ts.
 *
 * @typedef {any} FormDecoder
 *
 * What a case came to: errors as `pointer code`, or why the whole was refused.
 *
 * @typedef {{ value?: any, errors?: string[], params?: any[], ignored?: string[], milliseconds?: number, refused?: { status: number, code: string } }} Result
 *
 * @typedef {{ reason: string, applies: (testCase: FormCase) => boolean, fits: (result: Result, testCase: FormCase) => boolean }} Ruling
 */

export {};
