const WIDTH_VARIANTS = /[\u3000\uff01-\uffee]/g;

/**
 * A userName as it is compared: RFC 7644 section 5 asks for the PRECIS profile UsernameCaseMapped
 * (RFC 8265 section 3.3), whose rules of width, case and normalisation these are. No character is
 * refused: what a userName may hold is the identity provider's to say. Fill the column with it that
 * makes userNames unique.
 */
export function foldUserName(text: string): string {
  return text
    .replace(WIDTH_VARIANTS, (character) => character.normalize('NFKC'))
    .toLowerCase()
    .replaceAll('ς', 'σ') // else the beginning of a name would not be one of its beginnings
    .normalize('NFC');
}
