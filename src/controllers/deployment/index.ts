/** Rollouts of deployments: replica sets are created, scaled and cleaned up; pods are the replica sets' own. */
export { type DeploymentPlan, type DeploymentState, decideDeployment, type SetWrite } from './decide.ts';
export { deploymentController } from './deployment-controller.ts';
export { deploymentAnnotations } from './revisions.ts';
