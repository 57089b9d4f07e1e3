import { openSplit } from './gate.js';
import { describeJourneys } from './journeys.suite.js';

describeJourneys('split', openSplit);
