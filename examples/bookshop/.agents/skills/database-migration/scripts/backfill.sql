-- Fills one batch and says how many rows it touched; run it again until it says 0.
WITH batch AS (
  SELECT id FROM books WHERE condition_grade IS NULL ORDER BY id LIMIT 1000 FOR UPDATE SKIP LOCKED
)
UPDATE books SET condition_grade = 'good' FROM batch WHERE books.id = batch.id;
