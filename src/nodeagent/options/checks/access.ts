import type { CheckContext } from '../check-context.ts';
import type { AgentProblem } from '../problem.ts';
import { runProblem } from './sentence.ts';

/** Who may ask the agent's server: what needs an API server cannot be had without one. */
export function checkAccess({ values }: CheckContext): AgentProblem[] {
  const isStandalone = values.orchconfigPath === '' && values.bootstrapOrchconfigPath === '';
  if (!isStandalone) return [];
  const problems: AgentProblem[] = [];
  if (values.authenticationTokenWebhook) {
    problems.push({
      ...runProblem(
        'no client provided, cannot use webhook authentication',
        '--authentication-token-webhook',
      ),
      advice: 'give --orchconfig, or set authentication.webhook.enabled to false',
    });
  }
  if (values.authorizationMode === 'Webhook') {
    problems.push({
      ...runProblem('no client provided, cannot use webhook authorization', '--authorization-mode'),
      advice: 'give --orchconfig, or set authorization.mode to AlwaysAllow',
    });
  }
  return problems;
}
