import * as v from 'valibot';

/** How a token was got, and so how the next one is. */
const SignIn = v.variant('kind', [
  v.object({ kind: v.literal('laptop'), user: v.string(), administrator: v.boolean() }),
  v.object({
    kind: v.literal('device'),
    issuer: v.string(),
    clientId: v.string(),
    scope: v.string(),
    audience: v.exactOptional(v.string()),
  }),
  v.object({ kind: v.literal('token') }),
]);

const Token = v.object({
  access: v.string(),
  refresh: v.exactOptional(v.string()),
  /** Milliseconds; none is a token that says nothing of its end. */
  expires: v.exactOptional(v.number()),
});

/** Where the service is, and who one is there. */
export const Profile = v.object({ url: v.string(), signIn: SignIn, token: Token });

export type Profile = v.InferOutput<typeof Profile>;
export type Token = v.InferOutput<typeof Token>;
export type DeviceSignIn = Extract<Profile['signIn'], { kind: 'device' }>;
export type LaptopSignIn = Extract<Profile['signIn'], { kind: 'laptop' }>;
