import { openApart } from './gate.js';
import { describeJourneys } from './journeys.suite.js';

describeJourneys('split', openApart);
