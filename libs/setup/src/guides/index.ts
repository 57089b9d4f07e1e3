/**
 * How identity providers are connected: one source for the setup pages, in four languages, and for
 * docs/providers.
 */
export { adviceFor, adviceCode, type RefusedAnswer } from './advice.js';
export { guideOf, GUIDES, SCIM_GUIDES } from './guides.js';
export {
  GUIDE_IDS,
  type FieldValue,
  type Guide,
  type GuideId,
  type GuideLanguage,
  type GuideStep,
  type Instruction,
  type Permission,
  type ScimGuide,
} from './guide.types.js';
export { guideFiles } from './markdown.js';
export { pictureOf } from './picture.js';
export { guideTexts, sentenceOf, spansOf, stepTitle } from './sentences.js';
