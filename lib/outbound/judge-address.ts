type JudgedAddress = { readonly url: URL } | { readonly fault: string };

const maxLength = 2048;

/**
 * Checks the form of an address that somebody names for the service or a job to call, and nothing
 * about its host. The URL parser turns every notation of an IPv4 address (decimal, octal,
 * hexadecimal) into the plain one, so the parsed form is what is stored, compared and called.
 */
export function judgeAddress(text: string): JudgedAddress {
  const url = URL.parse(text);
  if (!url) return { fault: 'It is not a valid web address.' };
  if (url.username !== '' || url.password !== '') {
    return { fault: 'It must not contain a user or a password.' };
  }
  if (url.href.includes('#')) return { fault: 'It must not have a fragment (#).' };
  if (url.href.length > maxLength) {
    return {
      fault: `It has ${url.href.length} characters, but at most ${maxLength} are allowed.`,
    };
  }
  return { url };
}
