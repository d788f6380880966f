'use strict';

exports.BooksController = class BooksController {
  constructor(catalogue) {
    this.catalogue = catalogue;
  }

  index(req, res) {
    res.json(this.catalogue.all());
  }

  show(req, res) {
    const book = this.catalogue.find(req.params.id);
    if (book) res.json(book);
    else res.sendStatus(404);
  }
};
