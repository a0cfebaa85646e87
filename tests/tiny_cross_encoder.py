"""A cross-encoder of two tiny layers with random weights, made on the spot and saved to a folder."""

from __future__ import annotations

from pathlib import Path

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "anvils", "desert", "acme", "corp", "the", "in"]


def made(folder: Path, labels: int = 1) -> str:
    import torch
    import transformers

    folder.mkdir()
    vocabulary = folder / "vocab.txt"
    vocabulary.write_text("\n".join(WORDS), encoding="utf-8")
    config = transformers.BertConfig(
        vocab_size=len(WORDS),
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=64,
        num_labels=labels,
    )
    torch.manual_seed(1)
    transformers.BertForSequenceClassification(config).save_pretrained(folder)
    transformers.BertTokenizerFast(
        tokenizer_object=_tokenizer(vocabulary),
        pad_token="[PAD]",
        unk_token="[UNK]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        mask_token="[MASK]",
        model_max_length=64,
    ).save_pretrained(folder)
    return str(folder)


def _tokenizer(vocabulary: Path):
    from tokenizers import BertWordPieceTokenizer

    return BertWordPieceTokenizer(str(vocabulary))._tokenizer
