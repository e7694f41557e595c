/** Drawn as paths, 16 by 16, because not every machine has a font with these signs. */
const paths = {
  home: 'M2 8 8 2.5 14 8M3.5 7v6.5h9V7',
  jobs: 'M2 4h12M2 8h12M2 12h8',
  submit: 'M8 2.5v11M2.5 8h11',
  quotas: 'M8 2a6 6 0 1 0 6 6H8z',
  projects:
    'M8 7.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM2.5 14c0-3 2.5-4.5 5.5-4.5s5.5 1.5 5.5 4.5',
  webhooks: 'M4 12 12 4M6 4h6v6',
  admin: 'M2 4.5h7m4 0h1M2 11.5h1m4 0h7M11 2.8v3.4M5 9.8v3.4',
  copy: 'M5.5 5.5V2.5h8v8h-3M2.5 5.5h8v8h-8z',
  download: 'M8 2v8M4.5 7 8 10.5 11.5 7M3 13.5h10',
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
