/**
 * Tokens of service accounts that secrets keep: one for each account, and what is missing in those that people make.
 * Bound tokens are asked for and are none of its business. It holds no key: who signs is given to it. Source: release
 * 1.20, `pkg/controller/serviceaccount`.
 */
export {
  type SecretTokenOptions,
  type SecretTokenOrder,
  serviceAccountTokenController,
} from './token-controller.ts';
