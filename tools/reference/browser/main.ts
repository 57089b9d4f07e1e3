/** The script of the reference, without which it can be read. */
import { addCopyButtons } from './copy.js';
import { addRequestForms } from './request.js';
import { startSearch } from './search.js';

document.documentElement.classList.add('has-script');
startSearch();
addCopyButtons();
addRequestForms();
