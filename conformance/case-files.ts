import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/**
 * Reads a file of cases, such as `scim/filter-parse.yaml`, from the folder `conformance`. The
 * caller names its shape; the README of the folder describes it.
 */
export function readCases<Cases>(file: string): Cases {
  const text = readFileSync(join('conformance', file), 'utf8');
  return parse(text, { merge: true }) as Cases;
}

/** Where a group of cases comes from, and why it deviates from that source. */
export interface CaseGroup {
  source: string;
  /** Why this service deliberately answers otherwise than the source. */
  ruling?: string;
}

export function groupTitle({ source, ruling }: CaseGroup): string {
  return ruling === undefined ? source : `${source} [ruling: ${ruling}]`;
}
