/** Elements made without markup, which the policy of the page would not stop a response from writing. */

/** An element with these properties, and these children. */
export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
  children: readonly (Node | string)[] = [],
): HTMLElementTagNameMap[Name] {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

/** @throws TypeError if the page has no such element */
export function find<Element extends HTMLElement>(
  selector: string,
  kind: new () => Element,
  within: ParentNode = document,
): Element {
  const element = within.querySelector(selector);
  if (element instanceof kind) return element;
  throw new TypeError(`the page has no ${selector}`);
}
