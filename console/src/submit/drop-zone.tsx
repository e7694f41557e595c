import { useRef, useState } from 'preact/hooks';
import { writeSize } from '#client/src/format/amounts/amounts.ts';
import { writeCount } from '#client/src/format/numbers/write-number.ts';
import { Button, PlainButton } from '../parts/form.tsx';
import { ProblemNote } from '../parts/loading.tsx';
import { type Found, type Input, prepareInput, readChosen, readDrop } from './prepare-input.ts';
import { phrase, rich } from './words.ts';

interface DropZoneProps {
  readonly input: Input | undefined;
  readonly onInput: (input: Input | undefined) => void;
}

/** Takes a dropped folder, files or zip. The buttons are for keyboards and phones. */
export function DropZone({ input, onInput }: DropZoneProps) {
  const [over, setOver] = useState(false);
  const [packed, setPacked] = useState<number>();
  const [error, setError] = useState<unknown>();
  const take = async (reading: Promise<Found>) => {
    setError(undefined);
    setPacked(0);
    try {
      onInput(await prepareInput(await reading, (done, whole) => setPacked(done / whole)));
    } catch (reason) {
      setError(reason);
    }
    setPacked(undefined);
  };
  return (
    <section
      class={over ? 'drop over' : 'drop'}
      aria-label={phrase('input')}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        if (event.dataTransfer) void take(readDrop(event.dataTransfer));
      }}
    >
      {packed !== undefined && <progress value={packed} aria-label={phrase('packing')} />}
      {packed === undefined && input && (
        <InputSummary input={input} onRemove={() => onInput(undefined)} />
      )}
      {packed === undefined && !input && (
        <p>{rich('dropHere', { folder: <strong>{phrase('dropFolder')}</strong> })}</p>
      )}
      <div class="line">
        <FileButton
          label={phrase('chooseFolder')}
          folder
          onFound={(found) => void take(Promise.resolve(found))}
        />
        <FileButton
          label={phrase('chooseFiles')}
          onFound={(found) => void take(Promise.resolve(found))}
        />
      </div>
      {error !== undefined && <ProblemNote error={error} />}
    </section>
  );
}

function InputSummary({
  input: { zip, filename, folder, files },
  onRemove,
}: {
  readonly input: Input;
  readonly onRemove: () => void;
}) {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return (
    <div>
      <p class="line">
        <strong>{folder ?? filename}</strong>
        <span class="number">{writeSize(zip.size)}</span>
        <PlainButton onClick={onRemove}>{phrase('removeInput')}</PlainButton>
      </p>
      {files.length > 0 && (
        <details>
          <summary>
            {phrase('unpacked', {
              files: writeCount(files.length, 'file'),
              size: writeSize(bytes),
            })}
          </summary>
          <ul class="contents">
            {files.slice(0, 200).map((file) => (
              <li key={file.name}>
                {file.name} <span class="quiet number">{writeSize(file.bytes)}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

interface FileButtonProps {
  readonly label: string;
  readonly folder?: boolean;
  readonly onFound: (found: Found) => void;
}

function FileButton({ label, folder = false, onFound }: FileButtonProps) {
  const chooser = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button onClick={() => chooser.current?.click()}>{label}</Button>
      <input
        ref={chooser}
        type="file"
        hidden
        multiple
        aria-label={label}
        {...(folder && { webkitdirectory: true })}
        onChange={({ currentTarget }) => {
          onFound(readChosen(currentTarget.files ?? []));
          currentTarget.value = '';
        }}
      />
    </>
  );
}
