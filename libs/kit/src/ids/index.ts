export { cellOf, setCell, uuidv7, uuidv7Bound } from './uuid-v7.js';
export { isUuid } from './uuid.js';
