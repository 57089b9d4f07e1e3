const CONTROL = /<(?:select|textarea|input(?![^>]* type="hidden"))\b[^>]*>/g;
const PRIMARY = /<(a|button)\b[^>]* class="(?:primary|button)\b[^>]*>/g;

/**
 * Why the primary button of a page may lose input: there is a second one, or it does not submit the form
 * that a field belongs to.
 */
export function formFaults(html: string): string[] {
  const primaries = html.match(PRIMARY) ?? [];
  const forms = html.match(/<form\b.*?<\/form>/gs) ?? [];
  const primary = forms.find((form) => form.match(PRIMARY)?.[0]?.startsWith('<button'));
  const submitted = new Set(primary?.match(CONTROL));
  const lost = (html.match(CONTROL) ?? []).filter((control) => !submitted.has(control));
  return [
    ...(primaries.length > 1 ? [`${primaries.length} primary buttons`] : []),
    ...lost.map((control) => `not submitted: ${control}`),
  ];
}
