import { openSmall } from './gate.js';
import { describeJourneys } from './journeys.suite.js';

describeJourneys('small', openSmall);
