import { type FieldError, type FormModel, type FormNode } from '@gatehouse/form-decoder';
import { attributes, csrfInput, type Html, layout, markup, type Theme } from '@gatehouse/pages';
import { type FieldContext } from './field-frame.js';
import { idOf } from './field-names.js';
import { field } from './fields.js';
import { pageTexts, type PageTexts } from './page-texts.js';

export interface FormPageOptions {
  kind: 'sign-up' | 'profile';
  /** The URL to submit to; without it the page is a preview whose button does nothing. */
  action?: string;
  csrfToken?: string;
  basePath: string;
  theme: Theme;
  /** The row or button that gets the focus; see `FieldContext`. */
  focus?: string;
}

/** The page of a form: HTML that works without scripts. */
export function formPage(model: FormModel, options: FormPageOptions): string {
  const texts = pageTexts(model.language);
  const isSignUp = options.kind === 'sign-up';
  // The schema's title introduces a sign-up; a profile page has its own title.
  const heading = isSignUp ? model.title || texts.signUpTitle : texts.profileTitle;
  const faults = faultsOf(model);
  const submit = isSignUp ? texts.signUpButton : texts.profileButton;

  const content = markup`${summary(faults, texts)}
<h1>${heading}</h1>
${isSignUp && model.description && markup`<p class="lead">${model.description}</p>`}
${isSignUp && signInLine(texts, options.theme)}
<form method="post" novalidate accept-charset="utf-8"${attributes({ action: options.action })}>
${firstButton(submit)}
${options.csrfToken !== undefined && csrfInput(options.csrfToken)}
${fieldsOf(model, texts, options.focus)}
<div class="actions"><button class="primary" type="submit"${attributes({
    disabled: options.action === undefined,
  })}>${submit}</button></div>
</form>`;

  const title = faults.length > 0 ? `${texts.faultPrefix} ${heading}` : heading;
  const { basePath, theme } = options;
  return layout({ language: model.language, title, basePath, theme }, content);
}

/** The form as a part of another page. It is no form there, so its buttons send nothing. */
export function formPreview(model: FormModel): Html {
  const texts = pageTexts(model.language);
  return markup`${fieldsOf(model, texts)}
<div class="actions"><button class="primary" type="button" disabled>${texts.signUpButton}</button></div>`;
}

function fieldsOf({ nodes }: FormModel, texts: PageTexts, focus?: string): Html[] {
  let labels: Map<string, string> | undefined;
  const context: FieldContext = {
    texts,
    focus,
    labels: () => (labels ??= labelsOf(nodes, texts)),
  };
  return nodes.map((node) => field(node, context));
}

function signInLine({ haveAccount, signIn }: PageTexts, { signIn: href }: Theme): Html | undefined {
  if (href === undefined) return undefined;
  return markup`<p class="sign-in">${haveAccount} <a${attributes({ href })}>${signIn}</a></p>`;
}

interface Fault {
  error: FieldError;
  /** The id to link to; undefined when the form does not show the field. */
  target?: string;
}

/** Enter in a text field presses the first button of a form, which must not be "Remove". */
function firstButton(text: string): Html {
  return markup`<button class="first-button" type="submit" tabindex="-1" aria-hidden="true">${text}</button>`;
}

/** The error summary at the top, with a link to each field, as in the GOV.UK design system. */
function summary(faults: readonly Fault[], texts: PageTexts): Html | undefined {
  if (faults.length === 0) return undefined;
  return markup`<div class="faults" role="alert" aria-labelledby="faults-heading" tabindex="-1" autofocus>
<h2 id="faults-heading">${texts.faultsHeading}</h2>
<ul>${faults.map(faultItem)}</ul>
</div>`;
}

function faultItem({ error, target }: Fault): Html {
  if (target === undefined) return markup`<li>${error.message}</li>`;
  return markup`<li><a${attributes({ href: `#${target}` })}>${error.message}</a></li>`;
}

/** All errors in the order of the page; errors without a field come first. */
function faultsOf(model: FormModel): Fault[] {
  const faults: Fault[] = model.errors.map((error) => ({ error }));
  const visit = (node: FormNode): void => {
    const target = isHidden(node) ? undefined : idOf(node.name);
    for (const error of node.errors) faults.push({ error, target });
    if (node.kind === 'group') node.children.forEach(visit);
    if (node.kind === 'list' || node.kind === 'rows') node.rows.forEach(visit);
  };
  model.nodes.forEach(visit);
  return faults;
}

/** A constant is a hidden input, which cannot be focused. */
function isHidden(node: FormNode): boolean {
  return node.kind === 'input' && node.type === 'hidden';
}

function labelsOf(nodes: readonly FormNode[], { yes, no }: PageTexts): Map<string, string> {
  const labels = new Map<string, string>();
  const visit = (node: FormNode): void => {
    labels.set(node.name, node.label);
    if ('options' in node) {
      for (const { value, label } of node.options) labels.set(`${node.name}=${value}`, label);
    }
    if (node.kind === 'checkbox') {
      labels.set(`${node.name}=true`, yes).set(`${node.name}=false`, no);
    }
    if (node.kind === 'group') node.children.forEach(visit);
    if (node.kind === 'list' || node.kind === 'rows') node.rows.forEach(visit);
  };
  nodes.forEach(visit);
  return labels;
}
