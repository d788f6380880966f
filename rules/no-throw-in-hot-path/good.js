// Keeps the links that are addresses, and asks the question that was meant.

export function validLinks(links) {
  return links.filter((link) => URL.canParse(link));
}
