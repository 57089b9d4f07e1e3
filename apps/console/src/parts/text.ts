/** Texts that others wrote, links, and values to copy. */
import { attributes, type Html, type HtmlPart, markup, nothing } from '@gatehouse/pages';
import { type ConsoleFrame } from '../site/console-frame.js';
import { siteTexts } from '../texts/site.texts.js';

/** A text that somebody wrote, whose direction does not turn what surrounds it. */
export function written(text: string): Html {
  return markup`<bdi translate="no">${text}</bdi>`;
}

/** @param path below the console, with encoded parts */
export function link({ basePath }: ConsoleFrame, path: string, text: HtmlPart): Html {
  return markup`<a${attributes({ href: basePath + path })}>${text}</a>`;
}

/** A link that looks like a button, to a page that asks for more. */
export function buttonLink({ basePath }: ConsoleFrame, path: string, text: string): Html {
  return markup`<a class="secondary button"${attributes({ href: basePath + path })}>${text}</a>`;
}

export function code(text: string): Html {
  return markup`<code translate="no">${text}</code>`;
}

/** A value with a button that copies it, which appears if the browser can copy. */
export function copyable(frame: ConsoleFrame, text: string): Html {
  return markup`<span class="copyable">${code(text)}${copyButton(frame, text, 'copy')}</span>`;
}

/** A secret that no other page will show again. */
export function shownOnce(frame: ConsoleFrame, name: string, secret: string): Html {
  return markup`<section class="token"><h2>${name}</h2>
<code class="copied" translate="no">${secret}</code>
${copyButton(frame, secret, 'copy secondary')}
<p class="hint">${siteTexts(frame.language).shownOnce}</p></section>`;
}

function copyButton({ language }: ConsoleFrame, text: string, className: string): Html {
  const { copy, copied } = siteTexts(language);
  const of = { class: className, 'data-copy': text, 'data-copied': copied, 'aria-live': 'polite' };
  return markup`<button type="button" hidden${attributes(of)}>${copy}</button>`;
}

const BADGES = { good: '●', bad: '■', warning: '▲', quiet: '○' } as const;

/** A state in a word. The sign beside it differs too, for those who do not see colors. */
export function badge(kind: keyof typeof BADGES, text: string): Html {
  return markup`<span${attributes({ class: `badge ${kind}` })}><span aria-hidden="true">${BADGES[kind]}</span> ${text}</span>`;
}

/** A section with a heading; `nothing` if it has no content. */
export function section(title: string, content: HtmlPart): Html {
  if (content === undefined || content === null || content === false) return nothing;
  return markup`<section><h2>${title}</h2>
${content}</section>`;
}

export function number({ language }: ConsoleFrame, value: number | bigint): string {
  return new Intl.NumberFormat(language).format(value);
}
