import { newSpanId, newTraceId, parseTraceparent, traceparentOf } from './trace-context.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

describe('parseTraceparent', () => {
  it.each([
    [`00-${TRACE}-${SPAN}-01`, true],
    [`00-${TRACE}-${SPAN}-00`, false],
    [`00-${TRACE}-${SPAN}-03`, true],
    [`00-${TRACE}-${SPAN}-02`, false],
    [`cc-${TRACE}-${SPAN}-01`, true],
    [`cc-${TRACE}-${SPAN}-01-what-later-versions-add`, true],
  ])('reads %s', (text, isSampled) => {
    expect(parseTraceparent(text)).toEqual({ traceId: TRACE, spanId: SPAN, isSampled });
  });

  it.each([
    undefined,
    '',
    [`00-${TRACE}-${SPAN}-01`],
    `00-${TRACE}-${SPAN}`,
    `00-${TRACE}-${SPAN}-01-more`,
    `00-${TRACE}-${SPAN}-1`,
    `ff-${TRACE}-${SPAN}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    ` 00-${TRACE}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-01'; DROP TABLE users; --`,
    `cc-${TRACE}-${SPAN}-01-${'x'.repeat(100)}`,
  ])('ignores %j', (text) => {
    expect(parseTraceparent(text)).toBeUndefined();
  });

  it('reads what traceparentOf writes', () => {
    for (const isSampled of [true, false]) {
      const context = { traceId: newTraceId(), spanId: newSpanId(), isSampled };
      expect(parseTraceparent(traceparentOf(context))).toEqual(context);
    }
  });
});
