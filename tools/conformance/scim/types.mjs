// @ts-check
/**
 * The shapes of SCIM case files and of what comes out of running them.
 *
 * @typedef {string | number | boolean | null | JsonObject | JsonArray} Json
 * @typedef {{ [name: string]: Json }} JsonObject
 * @typedef {Json[]} JsonArray
 *
 * @typedef {object} CaseRequest
 * @property {string} method
 * @property {string} path below the directory's base address; the query may be partly encoded
 * @property {Record<string, string | null>} [headers] null: send without that header
 * @property {Json} [body]
 * @property {string} [rawBody] sent as it is
 *
 * @typedef {object} JsonExpectation
 * @property {string} path
 * @property {string} op
 * @property {Json} [value]
 *
 * @typedef {object} TextExpectation
 * @property {string} op
 * @property {string} [value]
 *
 * @typedef {object} HeaderExpectation
 * @property {string} name
 * @property {string} op
 * @property {string} [value]
 * @property {string} [path] into the body, for `equalsJson`
 *
 * @typedef {object} Expectation
 * @property {number[]} status
 * @property {JsonExpectation[]} [json]
 * @property {TextExpectation[]} [text]
 * @property {HeaderExpectation[]} [headers]
 * @property {number} [maxMs]
 * @property {Json} [responseLike]
 *
 * @typedef {object} HttpCase
 * @property {string} id
 * @property {string} [title]
 * @property {string} [idp]
 * @property {string} [when]
 * @property {CaseRequest} request
 * @property {Expectation} expect
 * @property {Record<string, string>} [capture] variable <- path into the body
 * @property {{ request: CaseRequest, capture?: Record<string, string> }[]} [setup]
 * @property {{ method: string, path: string, json: JsonExpectation[] }[]} [after]
 *
 * @typedef {object} CaseFile
 * @property {string} name of the file, without folder and `.json`
 * @property {'scenario' | 'cases' | 'exchanges' | 'filter-parse' | 'filter-match' | 'filter-match-set' | 'patch-path' | 'patch'} kind
 * @property {any} content
 * @property {{ id: string }[]} entries
 *
 * @typedef {object} Answer
 * @property {number} status
 * @property {Record<string, string>} headers names in lower case
 * @property {string} text
 * @property {Json | undefined} json undefined when the body is no JSON
 * @property {number} elapsedMs
 *
 * @typedef {object} Directory
 * @property {string} id
 * @property {string} base address of its SCIM endpoints
 * @property {string} secret
 *
 * @typedef {object} Outcome
 * @property {string} id
 * @property {'passed' | 'ruled' | 'failed' | 'notApplicable'} verdict `ruled`: passed as a ruling changed it
 * @property {string[]} [faults] what was expected and what came, when it failed
 * @property {string} [reason] why it is not applicable, or was changed before it ran
 *
 * @typedef {object} FileResult
 * @property {string} name
 * @property {Outcome[]} outcomes
 */

export {};
