// The page as it is drawn, as HTML: shadow roots and frames of the same site in their places, without what only a
// browser needs. Gives null where that is longer than `most` characters.
((most) => {
  const DROPPED = new Set(["style", "noscript", "template", "svg", "canvas", "link", "object", "embed"]);
  const kept = (element) => {
    const name = element.localName;
    if (name === "script") return /json/i.test(element.type);
    if (name === "link") return element.rel === "canonical";
    if (name === "meta") return !/^(refresh|content-security-policy)$/i.test(element.httpEquiv);
    return !DROPPED.has(name);
  };
  const children = (node) => {
    if (node.shadowRoot) return node.shadowRoot.childNodes;
    const given = node.localName === "slot" ? node.assignedNodes() : [];
    return given.length ? given : node.childNodes;
  };
  const framed = (element) => {
    try {
      return element.contentDocument && element.contentDocument.body;
    } catch {
      return null;
    }
  };
  const paper = document.implementation.createHTMLDocument("");
  const copied = (top) => {
    const copy = (node) => paper.importNode(node, false);
    const root = copy(top);
    const left = [[top, root]];
    while (left.length) {
      const [from, to] = left.pop();
      for (const node of children(from)) {
        if (node.nodeType === Node.TEXT_NODE) to.append(node.data);
        if (node.nodeType !== Node.ELEMENT_NODE || !kept(node)) continue;
        const body = /^i?frame$/.test(node.localName) && framed(node);
        const one = body ? paper.createElement("div") : copy(node);
        to.append(one);
        left.push([body || node, one]);
      }
    }
    return root;
  };
  const html = "<!DOCTYPE html>\n" + copied(document.documentElement).outerHTML;
  return html.length > most ? null : { html, url: location.href };
})
