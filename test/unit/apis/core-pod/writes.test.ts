import { describeWrites } from '../write-cases.ts';
import { podWrites } from './pod-writes.ts';
import { podVolumesWrites } from './pod-volumes-writes.ts';

describeWrites('kindRules of pods', podWrites);
describeWrites('kindRules of pod volumeses', podVolumesWrites);
