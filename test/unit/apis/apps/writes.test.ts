import { describeWrites } from '../write-cases.ts';
import { controllerRevisionWrites } from './controller-revision-writes.ts';
import { daemonSetWrites } from './daemon-set-writes.ts';
import { deploymentWrites } from './deployment-writes.ts';
import { replicaSetWrites } from './replica-set-writes.ts';
import { statefulSetWrites } from './stateful-set-writes.ts';

describeWrites('kindRules of controller revisions', controllerRevisionWrites);
describeWrites('kindRules of daemon sets', daemonSetWrites);
describeWrites('kindRules of deployments', deploymentWrites);
describeWrites('kindRules of replica sets', replicaSetWrites);
describeWrites('kindRules of stateful sets', statefulSetWrites);
