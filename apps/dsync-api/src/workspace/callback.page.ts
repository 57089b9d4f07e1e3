/** The page that an administrator sees after consenting. It has no script, no style and no link. */

/** Loads nothing, sends nothing, is not framed. */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  // The address of the page contains the code.
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function connectedPage(directory: string): string {
  const text = `The directory ${directory} is connected. You can close this page.`;
  return page('Connected', text);
}

export function failedPage(reason: string, requestId: string): string {
  return page('Not connected', `${reason} Request ${requestId}.`);
}

function page(title: string, text: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
<p>${escaped(text)}</p>
</main>
</body>
</html>
`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
}
