import fc from 'fast-check';
import { attributes, escapeHtml, markup, nothing } from './html.js';

describe('markup', () => {
  it('escapes text and keeps markup', () => {
    const inner = markup`<b>${'<script>'}</b>`;
    expect(markup`<p>${inner}${'"&\''}</p>`.text).toBe(
      '<p><b>&lt;script&gt;</b>&quot;&amp;&#39;</p>',
    );
  });

  it('joins lists and drops null, undefined and false', () => {
    expect(markup`${[markup`<i></i>`, 'a<', 5]}${false}${null}${undefined}${nothing}`.text).toBe(
      '<i></i>a&lt;5',
    );
  });

  it('never lets a text open a tag or end an attribute', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const element = markup`<a${attributes({ title: text })}>${text}</a>`.text;
        expect(element).toMatch(/^<a title="[^"<>]*">[^<>]*<\/a>$/);
      }),
    );
  });

  it('writes NUL as the replacement character', () => {
    expect(escapeHtml('a\u0000b')).toBe('a\uFFFDb');
  });
});

describe('attributes', () => {
  it('writes true as a bare name and leaves out false, null and undefined', () => {
    expect(attributes({ required: true, hidden: false, min: 0, max: null, id: '' }).text).toBe(
      ' required min="0" id=""',
    );
  });

  it('refuses a name that could carry markup', () => {
    expect(() => attributes({ 'x onload': 'y' })).toThrow(TypeError);
    expect(() => attributes({ 'A>': true })).toThrow(TypeError);
  });
});
