// Passkeys: the browser asks an authenticator, and the server checks what that has signed.
import type {Context} from '../app';
import type {PasskeyOffer} from '../api';

const bytes = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), c => c.charCodeAt(0));
const text = (b: ArrayBuffer): string =>
  btoa(Array.from(new Uint8Array(b), x => String.fromCharCode(x)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

// able tells whether this browser knows passkeys at all.
export const able = (): boolean => 'PublicKeyCredential' in window;

// dismissed tells that nobody touched the authenticator: a choice, and no fault.
export const dismissed = (err: unknown): boolean =>
  err instanceof DOMException && (err.name === 'NotAllowedError' || err.name === 'AbortError');

// taken tells that the authenticator has a passkey of this profile already.
export const taken = (err: unknown): boolean => err instanceof DOMException && err.name === 'InvalidStateError';

// make has an authenticator make a passkey, which the server keeps.
export async function make(ctx: Context): Promise<void> {
  const o: PasskeyOffer = await ctx.call('POST /me/passkeys/offer');
  const made = (await navigator.credentials.create({
    publicKey: {
      challenge: bytes(o.challenge),
      rp: {id: o.site, name: 'Qipu'},
      user: {id: bytes(o.user ?? ''), name: o.name ?? '', displayName: o.name ?? ''},
      pubKeyCredParams: (o.algorithms ?? []).map(alg => ({type: 'public-key' as const, alg})),
      excludeCredentials: (o.have ?? []).map(id => ({type: 'public-key' as const, id: bytes(id)})),
      authenticatorSelection: {residentKey: 'required', userVerification: 'required'},
      attestation: 'none',
    },
  })) as PublicKeyCredential;
  const answer = made.response as AuthenticatorAttestationResponse;
  await ctx.call('POST /me/passkeys', {
    body: {client: text(answer.clientDataJSON), data: text(answer.getAuthenticatorData())},
  });
}

// enter logs in by a passkey.
export async function enter(ctx: Context): Promise<void> {
  const o = await ctx.call('POST /enter/offer');
  const got = (await navigator.credentials.get({
    publicKey: {challenge: bytes(o.challenge), rpId: o.site, userVerification: 'required'},
  })) as PublicKeyCredential;
  const a = got.response as AuthenticatorAssertionResponse;
  await ctx.call('POST /enter/passkey', {
    body: {
      id: text(got.rawId),
      user: a.userHandle ? text(a.userHandle) : '',
      client: text(a.clientDataJSON),
      data: text(a.authenticatorData),
      signature: text(a.signature),
    },
  });
}
