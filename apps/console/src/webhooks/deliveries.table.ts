/** Attempts to deliver events, of an endpoint or of an event. */
import { type EventAttempt } from '@gatehouse/client';
import { type Html, type HtmlPart, markup } from '@gatehouse/pages';
import { type Column, table } from '../parts/table.js';
import { badge, written } from '../parts/text.js';
import { time } from '../parts/time.js';
import { type ConsoleFrame } from '../site/console-frame.js';
import { webhooksTexts } from '../texts/webhooks.texts.js';

type Attempt = Pick<EventAttempt, 'at' | 'status_code' | 'error'> & {
  readonly response?: string | null;
};

/** @param other the other side of a delivery */
export function deliveriesTable<Row extends Attempt>(
  frame: ConsoleFrame,
  options: { rows: readonly Row[]; other: Column<Row>; next?: string },
): Html {
  const texts = webhooksTexts(frame.language);
  return table(frame, {
    caption: texts.deliveries,
    rows: options.rows,
    next: options.next,
    empty: texts.noDeliveries,
    columns: [
      { head: texts.time, cell: ({ at }) => time(frame, at) },
      options.other,
      { head: texts.answer, cell: answerOf },
    ],
  });
}

function answerOf({ status_code: status, error, response }: Attempt): HtmlPart {
  const isGood = status !== null && status >= 200 && status < 300;
  return [
    badge(isGood ? 'good' : 'bad', String(status ?? '–')),
    error !== null && [' ', written(error)],
    response && markup`<pre translate="no" tabindex="0">${response}</pre>`,
  ];
}
