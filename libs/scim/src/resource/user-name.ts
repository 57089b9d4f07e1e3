const WIDTH_VARIANTS = /[\u3000\uff01-\uffee]/g;

/**
 * Folds a userName for comparison by the rules of the PRECIS profile UsernameCaseMapped (RFC 8265
 * section 3.3) that RFC 7644 section 5 refers to: width, case and normalization. No character is
 * refused; that is up to the identity provider. Use it for the unique column.
 */
export function foldUserName(text: string): string {
  return text
    .replace(WIDTH_VARIANTS, (character) => character.normalize('NFKC'))
    .toLowerCase()
    .replaceAll('ς', 'σ') // else the beginning of a name would not be one of its beginnings
    .normalize('NFC');
}
