// Keeps the links that are addresses, and asks the question by letting `new URL` throw.

export function validLinks(links) {
  return links.filter((link) => {
    try {
      new URL(link);
      return true;
    } catch {
      return false;
    }
  });
}
