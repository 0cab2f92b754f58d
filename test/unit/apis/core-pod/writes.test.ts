import { describeWrites } from '../write-cases.ts';
import { podVolumesWrites } from './pod-volumes-writes.ts';
import { podWrites } from './pod-writes.ts';

describeWrites('kindRules of pods', podWrites);
describeWrites('kindRules of pod volumeses', podVolumesWrites);
