/** Lists as tables, and the facts of one record. */
import { attributes, type Html, type HtmlPart, markup } from '@gatehouse/pages';
import { type ConsoleFrame } from '../site/console-frame.js';
import { siteTexts } from '../texts/site.texts.js';

export interface Column<Row> {
  readonly head: string;
  readonly cell: (row: Row) => HtmlPart;
  readonly isNumber?: boolean;
}

export interface TableOptions<Row> {
  /** What the rows are, for those who do not see the page. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** In place of an empty table: what would be here, and how it comes about. */
  readonly empty: HtmlPart;
  /** The path of the page with the next rows. */
  readonly next?: string;
}

/** The first cell of a row is its name. */
export function table<Row>(frame: ConsoleFrame, options: TableOptions<Row>): Html {
  const { caption, columns, rows, empty, next } = options;
  const [first, ...others] = columns;
  if (rows.length === 0 || !first) return markup`<div class="empty">${empty}</div>`;
  const className = (column: Column<Row>) => attributes({ class: column.isNumber && 'number' });
  return markup`<div class="table" role="region" tabindex="0"${attributes({ 'aria-label': caption })}><table>
<thead><tr>${columns.map((column) => markup`<th scope="col"${className(column)}>${column.head}</th>`)}</tr></thead>
<tbody>${rows.map(
    (row) => markup`<tr><th scope="row">${first.cell(row)}</th>${others.map(
      (column) => markup`<td${className(column)}>${column.cell(row)}</td>`,
    )}</tr>
`,
  )}</tbody></table></div>
${next !== undefined && markup`<p class="pager"><a rel="next"${attributes({ href: frame.basePath + next })}>${siteTexts(frame.language).next}</a></p>`}`;
}

/** Names and values; those that are undefined are left out. */
export function facts(entries: readonly (readonly [name: string, value: HtmlPart])[]): Html {
  const known = entries.filter(([, value]) => value !== undefined && value !== null);
  return markup`<dl class="facts">${known.map(
    ([name, value]) => markup`<div><dt>${name}</dt><dd>${value}</dd></div>`,
  )}</dl>`;
}

/** A path with the parameters that are not empty. */
export function pathWith(
  path: string,
  query: Readonly<Record<string, string | undefined>>,
): string {
  const set = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(set as [string, string][]).toString();
  return text === '' ? path : `${path}?${text}`;
}
