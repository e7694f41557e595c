(() => {
  /* contents */
  const search = document.querySelector('#words');
  const found = document.querySelector('#found');
  const token = document.querySelector('#token');
  const entries = [...document.querySelectorAll('main section > details, #problems tbody tr')];
  const sections = [...document.querySelectorAll('main section')];

  const lower = (text) => text.toLowerCase();
  const headOf = (entry) =>
    lower(`${entry.id} ${(entry.querySelector('summary, th') ?? entry).textContent}`);
  const wholeOf = (entry) => lower(`${entry.textContent} ${contents[entry.id] ?? ''}`);
  const heads = new Map();
  const wholes = new Map();

  /** Reads the text of an entry once, and not before somebody searches. */
  const read = (known, entry, how) => {
    if (!known.has(entry)) known.set(entry, how(entry));
    return known.get(entry);
  };

  const matching = (words) => {
    const hold = (text) => words.every((word) => text.includes(word));
    const byHead = entries.filter((entry) => hold(read(heads, entry, headOf)));
    return byHead.length > 0
      ? byHead
      : entries.filter((entry) => hold(read(wholes, entry, wholeOf)));
  };

  const show = () => {
    const words = lower(search.value).split(/\s+/).filter(Boolean);
    const shown = new Set(words.length === 0 ? entries : matching(words));
    for (const entry of entries) entry.hidden = !shown.has(entry);
    for (const section of sections) {
      section.hidden = !entries.some((entry) => !entry.hidden && section.contains(entry));
    }
    found.value = words.length === 0 ? '' : `${shown.size} found`;
  };

  search.addEventListener('input', show);
  document.querySelector('#find').addEventListener('submit', (event) => {
    event.preventDefault();
    const first = search.value.trim() !== '' && entries.find((entry) => !entry.hidden);
    if (first) location.hash = `#${first.id}`;
    openTarget();
  });

  addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLInputElement;
    if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      search.focus();
    }
    if (event.key === 'Escape' && event.target === search) {
      search.value = '';
      show();
    }
  });

  /** Unfolds what the address names, which a search may have hidden. */
  const openTarget = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    const entry = target.closest('details, tr') ?? target;
    if (entry.hidden || entry.closest('section')?.hidden) {
      search.value = '';
      show();
    }
    if (entry instanceof HTMLDetailsElement) {
      fill(entry);
      entry.open = true;
      entry.querySelector('summary').focus();
    }
    target.scrollIntoView();
  };
  addEventListener('hashchange', openTarget);

  const make = (name, properties, ...children) => {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
  };

  /** Optional parts of a path are in brackets, and left out if a value in them is missing. */
  const writePath = (path, values) => {
    const fill = (text) =>
      text.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(values.get(name)));
    const cut = (text) => {
      const shorter = text.replace(/\[([^[\]]*)\]/, (_, inner) =>
        [...inner.matchAll(/\{(\w+)\}/g)].every(([, name]) => values.get(name)) ? inner : '',
      );
      return shorter === text ? text : cut(shorter);
    };
    return fill(cut(path));
  };

  const ask = async (address, answer, body) => {
    answer.value = 'Waiting for the answer.';
    body.hidden = true;
    try {
      const headers = token.value.trim() ? { authorization: `Bearer ${token.value.trim()}` } : {};
      const response = await fetch(address, { headers, credentials: 'omit', cache: 'no-store' });
      const text = await response.text();
      const isJson = /json/.test(response.headers.get('content-type') ?? '');
      answer.value = `GET ${address}: ${response.status}`;
      body.textContent = isJson ? JSON.stringify(JSON.parse(text), undefined, 2) : text;
      body.hidden = false;
      if (response.status === 401) document.querySelector('#access').open = true;
    } catch (error) {
      answer.value = `GET ${address}: no answer (${error.message})`;
    }
  };

  /** Only operations that read can be tried; the generator marks them. */
  const addTrial = (operation) => {
    const fields = [...operation.querySelectorAll('tr[data-in="path"], tr[data-in="query"]')].map(
      ({ dataset }) => {
        const isNeeded = dataset.in === 'path' && !dataset.optional;
        const value = isNeeded ? (dataset.example ?? '') : '';
        const input = make('input', { name: dataset.name, value, required: isNeeded });
        return { place: dataset.in, name: dataset.name, input };
      },
    );
    const answer = make('output', {});
    const body = make('pre', { hidden: true, tabIndex: 0 });
    const form = make(
      'form',
      { className: 'trial' },
      ...fields.map(({ name, input }) => make('label', {}, name, input)),
      make('button', {}, 'Send request'),
      answer,
      body,
    );
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      const valuesIn = (place) =>
        fields
          .filter((each) => each.place === place && each.input.value !== '')
          .map(({ name, input }) => [name, input.value]);
      const query = new URLSearchParams(valuesIn('query')).toString();
      const path = writePath(operation.dataset.path, new Map(valuesIn('path')));
      void ask(query === '' ? path : `${path}?${query}`, answer, body);
    });
    operation.append(make('h4', {}, 'Try it'), form);
  };

  /** Puts in what a folded part holds. To have all of it at once makes the page slow on a phone. */
  const fill = (entry) => {
    const content = contents[entry.id];
    if (content === undefined || entry.dataset.filled) return;
    entry.dataset.filled = 'true';
    entry.insertAdjacentHTML('beforeend', content);
    if (entry.hasAttribute('data-try')) addTrial(entry);
  };
  document.addEventListener('toggle', ({ target }) => target.open && fill(target), true);
  openTarget();
})();
