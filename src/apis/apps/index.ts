/**
 * Rules of the group `apps`: what workloads may look like and how they change, and the scale of anything that
 * has replicas. It does not run workloads; that is the controllers' work.
 */
import {
  type FieldError,
  fieldPath,
  invalidValue,
  required,
  VerbatimValue,
} from '../../machinery/errors/index.ts';
import type { KindRules, KindRulesTable } from '../kind-rules.ts';
import type { ControllerRevision } from '../types/apps-v1.ts';
import { goBytes, goStruct, nameIsDnsSubdomain, validateNonNegative } from '../validation/index.ts';
import { daemonSetRules } from './daemon-set.ts';
import { deploymentRules } from './deployment.ts';
import { replicaSetRules } from './replica-set.ts';
import { statefulSetRules } from './stateful-set.ts';

const dataPath = fieldPath('data');
const revisionPath = fieldPath('revision');

/** Rules of the history that controllers keep of their objects. */
const controllerRevisionRules: KindRules<ControllerRevision> = {
  validateName: nameIsDnsSubdomain,
  validate: validateRevision,
  validateUpdate: (object, old) => [...validateRevision(object), ...validateKeptData(object.data, old.data)],
};

function validateRevision({ data, revision }: ControllerRevision): FieldError[] {
  const errors = data ? [] : [required(dataPath, 'data is mandatory')];
  return [...errors, ...validateNonNegative(revision, revisionPath)];
}

/** The data may be of any kind, and stays as its text is: the order of members counts, and so do units of amounts. */
function validateKeptData(data: unknown, old: unknown): FieldError[] {
  const text = JSON.stringify(data);
  if (text === JSON.stringify(old)) return [];
  return [invalidValue(dataPath, data ? showData(text) : null, 'field is immutable')];
}

function showData(text: string): VerbatimValue {
  const shown = goStruct('runtime.Unknown', [
    ['TypeMeta', 'runtime.TypeMeta{APIVersion:"", Kind:""}'],
    ['Raw', goBytes(Buffer.from(text))],
    ['ContentEncoding', '""'],
    ['ContentType', '"application/json"'],
  ]);
  return new VerbatimValue(shown);
}

export { applyScale, type Scalable, toScale, validateScale } from './scale.ts';
export { controllerRevisionRules, daemonSetRules, deploymentRules, replicaSetRules, statefulSetRules };

/** Rules by storage kind. */
export const appsRules: KindRulesTable = {
  'apps/v1.ControllerRevision': controllerRevisionRules,
  'apps/v1.DaemonSet': daemonSetRules,
  'apps/v1.Deployment': deploymentRules,
  'apps/v1.ReplicaSet': replicaSetRules,
  'apps/v1.StatefulSet': statefulSetRules,
};
