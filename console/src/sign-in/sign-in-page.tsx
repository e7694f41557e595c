import { useState } from 'preact/hooks';
import type { ConsoleConfig } from '#console/serving/console-config.ts';
import { Button, Form, TextField } from '../parts/form.tsx';
import { ProblemNote, Skeleton } from '../parts/loading.tsx';
import { keepKey, laptopKey, readKey } from './laptop-key.ts';
import { beginSignIn } from './oidc.ts';
import { signInState } from './sign-in.ts';
import { signInOnLaptop } from './sign-in-on-laptop.ts';

export function SignInPage() {
  const { value } = signInState;
  return (
    <main class="sign-in">
      <h1>
        <img src="/console/icon.svg" alt="" width="40" height="40" /> Slipway
      </h1>
      {value.at === 'looking' && (
        <>
          <p class="quiet">Signing in…</p>
          <Skeleton rows={2} />
        </>
      )}
      {value.at === 'failed' && <ProblemNote error={new Error(value.message)} />}
      {value.at === 'asking' && <Choice config={value.config} />}
    </main>
  );
}

function Choice({ config }: { readonly config: ConsoleConfig }) {
  if (config.signIn === 'laptop') return <LaptopChoice api={config.api} />;
  return (
    <>
      <p>Your jobs and quotas on the HPC systems.</p>
      <button type="button" class="main" onClick={() => void beginSignIn(config, false)}>
        Sign in
      </button>
    </>
  );
}

function LaptopChoice({ api }: { readonly api: string }) {
  const [error, setError] = useState<unknown>();
  const [other, setOther] = useState('');
  const signIn = (user: string, administrator = false) => {
    signInOnLaptop(api, { user, administrator }).catch(setError);
  };
  if (laptopKey.value === undefined) {
    return (
      <>
        {error !== undefined && <ProblemNote error={error} />}
        <KeyForm onKey={() => setError(undefined)} />
      </>
    );
  }
  return (
    <>
      <p>This is the laptop edition. Choose who to sign in as.</p>
      <div class="choices">
        <button type="button" class="main" onClick={() => signIn('306328')}>
          Researcher 306328
        </button>
        <Button onClick={() => signIn('100001', true)}>Administrator 100001</Button>
      </div>
      <Form class="other-user" onSubmit={() => signIn(other.trim())}>
        <label>
          <span>Another user</span>
          <input
            inputMode="numeric"
            pattern="0|[1-9][0-9]{0,31}"
            required
            placeholder="306329"
            value={other}
            onInput={({ currentTarget }) => setOther(currentTarget.value)}
          />
        </label>
        <button type="submit">Sign in</button>
      </Form>
      {error !== undefined && <ProblemNote error={error} />}
    </>
  );
}

function KeyForm({ onKey }: { readonly onKey: () => void }) {
  const [text, setText] = useState('');
  const [error, setError] = useState<string>();
  const show = () => {
    const key = readKey(text);
    if (key === undefined) {
      setError('This is not a key. It has 43 letters and digits, and follows #key= there.');
      return;
    }
    onKey();
    keepKey(key);
  };
  return (
    <Form class="asked" onSubmit={show}>
      <p>
        This is the laptop edition, and only people with its key can sign in. Open the address that{' '}
        <code>npm start</code> printed, or paste it here.
      </p>
      <TextField
        label="Address or key"
        hint={
          <>
            The key is also in the file <code>.slipway/key</code>, where the service was started.
          </>
        }
        error={error}
        required
        spellcheck={false}
        value={text}
        onValue={setText}
      />
      <button type="submit" class="main">
        Continue
      </button>
    </Form>
  );
}
