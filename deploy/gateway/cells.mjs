// Finds the id of a key in a credential, for the cell that the id carries. Nothing is verified here: an id that
// a client made up leads its request to a cell that refuses it.

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const ISSUED = /_v1_([1-9A-HJ-NP-Za-km-z]{48,66})_[1-9A-HJ-NP-Za-km-z]{16,22}$/;
const TOKEN = /^(?:mc_v1_|eyJ[\w-]*\.)([\w-]+)/;
// The first claim with this name; later ones may be of the application.
const SUBJECT = /"sub":"([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})"/;
// A payload has 48 bytes: the id and 32 random bytes.
const LIMBS = 16;
const LIMB = 1 << 24;
// The key service refuses longer batches.
const BATCH_MAX = 100;

/** The id of the key in the headers of a request; '' without one. */
function headerId(request) {
  const headers = request.headersIn;
  return idOf(headers['X-API-Key'] || (headers.Authorization || '').replace(/^\S+ +/, ''));
}

/** Leads a request to the cell of the credential, or of all credentials, in its body. */
function route(request) {
  // Chunks can be so small that what surrounds them fills the memory for the body.
  if (request.variables.request_body_file) return request.return(411);
  const cells = credentialsIn(request.requestText).map((credential) => {
    request.variables.body_id = idOf(credential);
    return request.variables.cell;
  });
  const isSplit = cells.some((cell) => cell !== cells[0]);
  if (isSplit || !request.variables.cell) return request.return(421);
  request.internalRedirect('@key_service');
}

/** A body that cannot be read goes to the key service, which says why. */
function credentialsIn(text) {
  try {
    const body = JSON.parse(text);
    const items = Array.isArray(body.requests) ? body.requests : [body];
    return items.slice(0, BATCH_MAX).map((item) => String(item.credential));
    // eslint-disable-next-line no-unused-vars -- njs 0.7, of Debian 12, has no `catch` without it
  } catch (error) {
    return [];
  }
}

function idOf(credential) {
  const issued = ISSUED.exec(credential);
  if (issued) return idOfPayload(issued[1]);
  const token = TOKEN.exec(credential);
  const subject = token && SUBJECT.exec(Buffer.from(token[1], 'base64url').toString());
  return subject ? subject[1] : '';
}

/** Four characters of Base58 at a time become a number of 16 limbs, and that becomes hexadecimal. */
function idOfPayload(payload) {
  const limbs = new Array(LIMBS).fill(0);
  payload.match(/.{1,4}/g).forEach((characters) => {
    let factor = 1;
    let carry = 0;
    characters.split('').forEach((character) => {
      factor *= BASE58.length;
      carry = carry * BASE58.length + BASE58.indexOf(character);
    });
    for (let index = LIMBS - 1; index >= 0; index--) {
      const value = limbs[index] * factor + carry;
      limbs[index] = value % LIMB;
      carry = Math.floor(value / LIMB);
    }
  });
  const hex = limbs.map((limb) => limb.toString(16).padStart(6, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*/, '$1-$2-$3-$4-$5');
}

export default { headerId, route };
