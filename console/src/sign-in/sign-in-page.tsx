import { useState } from 'preact/hooks';
import type { ConsoleConfig } from '#console/serving/console-config.ts';
import { LanguageLinks } from '../language/language-links.tsx';
import { Button, Form, TextField } from '../parts/form.tsx';
import { ProblemNote, Skeleton } from '../parts/loading.tsx';
import { brokenAddress, keepKey, laptopKey, readKey } from './laptop-key.ts';
import { beginSignIn } from './oidc.ts';
import { signInState } from './sign-in.ts';
import { signInOnLaptop } from './sign-in-on-laptop.ts';
import { phrase, rich } from './words.ts';

export function SignInPage() {
  const { value } = signInState;
  return (
    <main class="sign-in">
      <h1>
        <img src="/console/icon.svg" alt="" width="40" height="40" /> Slipway
      </h1>
      {value.at === 'looking' && (
        <>
          <p class="quiet">{phrase('signingIn')}</p>
          <Skeleton rows={2} />
        </>
      )}
      {value.at === 'failed' && <ProblemNote error={new Error(value.message)} />}
      {value.at === 'asking' && <Choice config={value.config} />}
      {value.at !== 'looking' && (
        <p class="line">
          <LanguageLinks />
        </p>
      )}
    </main>
  );
}

function Choice({ config }: { readonly config: ConsoleConfig }) {
  if (config.signIn === 'laptop') return <LaptopChoice api={config.api} />;
  return (
    <>
      <p>{phrase('yourJobsAndQuotas')}</p>
      <Button class="main" onClick={() => void beginSignIn(config, false)}>
        {phrase('signIn')}
      </Button>
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
        <KeyForm key={brokenAddress.value} onKey={() => setError(undefined)} />
      </>
    );
  }
  return (
    <>
      <p>{phrase('chooseWho')}</p>
      <div class="choices">
        <Button class="main" onClick={() => signIn('306328')}>
          {phrase('researcher', { user: '306328' })}
        </Button>
        <Button onClick={() => signIn('100001', true)}>
          {phrase('administrator', { user: '100001' })}
        </Button>
      </div>
      <Form class="other-user" onSubmit={() => signIn(other.trim())}>
        <label>
          <span>{phrase('anotherUser')}</span>
          <input
            inputMode="numeric"
            pattern="0|[1-9][0-9]{0,31}"
            required
            placeholder="306329"
            value={other}
            onInput={({ currentTarget }) => setOther(currentTarget.value)}
          />
        </label>
        <button type="submit">{phrase('signIn')}</button>
      </Form>
      {error !== undefined && <ProblemNote error={error} />}
    </>
  );
}

function KeyForm({ onKey }: { readonly onKey: () => void }) {
  const [text, setText] = useState(brokenAddress.value);
  const [error, setError] = useState(text === '' ? undefined : phrase('notAKey'));
  const show = () => {
    const key = readKey(text);
    if (key === undefined) {
      setError(phrase('notAKey'));
      return;
    }
    onKey();
    keepKey(key);
  };
  return (
    <Form class="asked" onSubmit={show}>
      <p>{rich('needsKey', { command: <code>npm start</code> })}</p>
      <TextField
        label={phrase('addressOrKey')}
        hint={rich('keyIsInFile', { file: <code>.slipway/key</code> })}
        error={error}
        required
        spellcheck={false}
        value={text}
        onValue={setText}
      />
      <button type="submit" class="main">
        {phrase('continue')}
      </button>
    </Form>
  );
}
