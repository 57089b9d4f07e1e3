/** How statements take part in traces. */
import { currentTraceparent, inSpan, isRecorded } from '../tracing/traces.js';

/**
 * The setting in which a transaction carries its `traceparent`. Tables of events have it as the
 * default of a column, so that no statement has to pass it on.
 */
export const TRACE_SETTING = 'gatehouse.traceparent';

const KEYWORD = /^\s*([A-Za-z]+)/;

/**
 * Runs a statement in a span that has its name. Its text and its values stay here: texts are long, and
 * values may be personal data.
 */
export function inStatementSpan<T>(
  { name, text }: { name?: string; text: string },
  work: () => Promise<T>,
): Promise<T> {
  // Asked first, because it is cheaper than the description.
  if (!isRecorded()) return work();
  const summary = name ?? KEYWORD.exec(text)?.[1]?.toUpperCase() ?? 'SQL';
  const attributes = { 'db.system.name': 'postgresql', 'db.query.summary': summary };
  return inSpan({ name: summary, kind: 'client', attributes }, work);
}

/** The SQL that sets the trace of a transaction, to append to its first statements; '' if not traced. */
export function traceSetting(): string {
  const traceparent = currentTraceparent();
  // A traceparent consists of hexadecimal digits and dashes, so it needs no quoting.
  return traceparent === undefined ? '' : `; SET LOCAL ${TRACE_SETTING} = '${traceparent}'`;
}
