import { describe, expect, it } from 'vitest';
import { routes } from '#functions/routes.ts';

type AnyRoutes = Readonly<
  Record<string, { readonly paths: Readonly<Record<string, string>>; readonly access?: string }>
>;

/** Routes that do not say who may call them, or open what administrators alone may do. */
function findUnguarded(table: AnyRoutes): string[] {
  return Object.entries(table).flatMap(([name, { paths, access = '' }]) => {
    if (!['public', 'caller', 'leader', 'administrator'].includes(access))
      return [`${name}: '${access}'`];
    const administrative = Object.values(paths).some((path) =>
      path.toLowerCase().split('/').includes('admin'),
    );
    const guarded = ['leader', 'administrator'].includes(access);
    return administrative && !guarded ? [`${name}: ${access}`] : [];
  });
}

describe('the route table', () => {
  it('says of every route who may call it, and keeps /admin/ for administrators and leaders', () => {
    expect(findUnguarded(routes)).toEqual([]);
  });

  it('would not pass with a route that says nothing, another word, or too much', () => {
    const good = { paths: { a: '/admin/a/' }, access: 'administrator' };
    const wrong = {
      good,
      silent: { paths: { a: '/a/' } },
      silentAdmin: { paths: { a: '/admin/b/' } },
      other: { paths: { a: '/a/' }, access: 'admin' },
      open: { paths: { a: '/admin/{user_id}/' }, access: 'caller' },
      opener: { paths: { a: '/admin/c/[{hpc}/]' }, access: 'public' },
      upper: { paths: { a: '/Admin/d/' }, access: 'caller' },
    };
    expect(findUnguarded(wrong)).toEqual([
      "silent: ''",
      "silentAdmin: ''",
      "other: 'admin'",
      'open: caller',
      'opener: public',
      'upper: caller',
    ]);
  });
});
